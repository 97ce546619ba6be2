/** Reads once for everybody who asks within so many ms; those who ask while it is being read get the same. */
export function cached<T>(lifeMs: number | undefined, read: () => Promise<T>): () => Promise<T> {
  if (lifeMs === undefined) return read
  let latest: Promise<T> | undefined
  return () => {
    if (latest) return latest
    const reading = read()
    latest = reading
    const forget = () => setTimeout(() => (latest = undefined), lifeMs).unref()
    reading.then(forget, forget)
    return reading
  }
}
