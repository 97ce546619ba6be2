/** A file as it comes over a socket: in pieces that respect neither lines nor letters. */
export async function* bytes(content: string | Uint8Array, piece = 1009): AsyncGenerator<Uint8Array> {
  const whole = typeof content === 'string' ? Buffer.from(content) : content
  for (let from = 0; from < whole.length; from += piece) yield whole.subarray(from, from + piece)
}
