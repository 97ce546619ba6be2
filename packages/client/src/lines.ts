/** Streams of text, cut at a separator; whoever stops reading cancels the stream. @throws UnreachableError when it breaks off */
import { UnreachableError } from './errors.ts'

export async function* piecesOf(body: ReadableStream<Uint8Array> | null, separator: string): AsyncGenerator<string> {
  if (!body) return
  // not `for await`: not every browser can iterate over a stream
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const pieces = (rest + decoder.decode(value, { stream: true })).split(separator)
      rest = pieces.pop() as string
      yield* pieces
    }
  } catch (error) {
    // what fetch throws when the connection broke; an aborted call has a reason of its own
    throw error instanceof TypeError ? new UnreachableError('the answer was cut off', error) : error
  } finally {
    reader.cancel().catch(() => {})
  }
  if (rest !== '') yield rest
}
