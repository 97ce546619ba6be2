/** The lines of an NDJSON answer, as they come. @throws Unreachable when it breaks off */
import { Unreachable } from './http.ts'

export async function* readLines<T>(response: Response): AsyncGenerator<T> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { value, done } = await reader.read().catch(() => {
      throw new Unreachable()
    })
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) yield JSON.parse(line)
  }
}
