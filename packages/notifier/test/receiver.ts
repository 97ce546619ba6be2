/** A subscriber as others write one: a server that verifies each signature, keeps what it takes by id, and may misbehave. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { ChangeBody, ChangeDiff } from '@courier-fleet/api-types'
import type { View } from '@courier-fleet/store'
import { applyDiff } from '@courier-fleet/subscriptions'
import { Webhook } from 'standardwebhooks'

export interface Request {
  readonly id: string
  readonly text: string
  readonly body: ChangeBody
  readonly atMs: number
}

/** How one request is answered: with a status, or not at all after it was taken (`lost`), or never (`silent`). */
export type Behaviour = number | 'lost' | 'silent'

export async function startReceiver(secretOf: () => string | Promise<string>) {
  /** all that came, repeats too */
  const requests: Request[] = []
  const faults: string[] = []
  let behave: (request: Request) => Behaviour | Promise<Behaviour> = () => 204

  const take = async (secret: string, text: string, headers: Record<string, string>, response: ServerResponse) => {
    try {
      new Webhook(secret).verify(text, headers)
    } catch (error) {
      faults.push(String(error))
    }
    const body = JSON.parse(text) as ChangeBody
    const request = { id: headers['webhook-id'] as string, text, body, atMs: performance.now() }
    if (request.id !== body.id) faults.push('the id of the header is another than that of the body')
    requests.push(request)
    const behaviour = await behave(request)
    if (behaviour === 'lost') response.destroy()
    else if (behaviour !== 'silent') response.writeHead(behaviour).end()
  }
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
    } catch {
      return // its sender was killed
    }
    await take(await secretOf(), Buffer.concat(chunks).toString(), incoming.headers as Record<string, string>, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  /** Each change once, as the first of its id came. */
  const changes = (): Request[] => [...new Map(requests.toReversed().map((each) => [each.id, each])).values()].reverse()

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    faults,
    changes,
    behave(next: typeof behave) {
      behave = next
    },
    of: (resource: string) => changes().filter(({ body }) => body.resource_id === resource),
    /** What the receiver makes of all diffs of a resource, by their order. */
    view: (resource: string): View =>
      changes()
        .filter(({ body }) => body.resource_id === resource)
        .reduce((view, { body }) => applyDiff(view, body.diff ?? {}), {} as View),
    /**
     * What is wrong with the order: each sequence once, one after the other; a repeat says the same as the first.
     * @param mayBeLeftOut true where notifiers are killed: a body that was kept and never came, of what may not be told any more, leaves its
     * number out. What comes after it begins where the receiver is.
     */
    disorder(mayBeLeftOut = false): string[] {
      const last = new Map<string, { sequence: number; view: View }>()
      const wrong: string[] = []
      const first = new Map<string, string>()
      for (const { id, text, body } of requests) {
        const known = first.get(id)
        if (known !== undefined) {
          if (known !== text) wrong.push(`${id} came with two bodies`)
          continue
        }
        first.set(id, text)
        const { resource_id: resource, sequence, diff } = body
        const before = last.get(resource) ?? { sequence: 0, view: {} }
        const isNext = sequence === before.sequence + 1
        const isAfterOneLeftOut =
          sequence === before.sequence + 2 && mayBeLeftOut && beginsWith(before.view, diff ?? {})
        if (!isNext && !isAfterOneLeftOut) wrong.push(`${resource}: ${sequence} after ${before.sequence}`)
        last.set(resource, { sequence, view: applyDiff(before.view, diff ?? {}) })
      }
      return wrong
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Whether what each field of a diff was is what this view has. */
const beginsWith = (view: View, diff: ChangeDiff): boolean =>
  Object.entries(diff).every(([field, { '---': before }]) => isDeepStrictEqual(before, view[field] ?? null))

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
