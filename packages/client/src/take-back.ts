/** Takes an import back, and tells how far that is: what can be taken back becomes less, some people at a time. */
import type { TakeBackReportView } from '@courier-fleet/api-types'
import type { Client } from './create-client.ts'

const everyMs = 200

/**
 * @param version as looking at it has given it
 * @param onProgress people done so far, and of how many: whoever is left as they are is among those
 */
export async function takeBackWithProgress(
  client: Pick<Client, 'imports' | 'takeImportBack'>,
  id: string,
  version: string | undefined,
  onProgress: (done: number, of: number) => void,
): Promise<TakeBackReportView> {
  // what cannot be asked is not told: it is the call itself that counts
  const left = () =>
    client.imports().then(
      ({ imports }) => imports.find((each) => each.id === id)?.left,
      () => undefined,
    )
  const all = (await left()) ?? 0
  onProgress(0, all)
  let isOver = false
  const work = client.takeImportBack(id, version).finally(() => {
    isOver = true
  })
  // whoever waits for it hears of a failure below
  const ended = work.catch(() => {})
  while (!isOver) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, everyMs))])
    const still = isOver ? undefined : await left()
    if (still !== undefined) onProgress(Math.max(0, all - still), all)
  }
  return work
}
