/** Streams of text, cut at a separator; whoever stops reading cancels the stream. */
export async function* piecesOf(body: ReadableStream<Uint8Array> | null, separator: string): AsyncGenerator<string> {
  if (!body) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const pieces = (rest + decoder.decode(bytes, { stream: true })).split(separator)
    rest = pieces.pop() as string
    yield* pieces
  }
  if (rest !== '') yield rest
}
