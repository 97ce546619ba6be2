/** Runs work with the same key one after the other, in the order it came; work with different keys at the same time. */
export type Serialize = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createSerializer(): Serialize {
  const lastByKey = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (lastByKey.get(key) ?? Promise.resolve()).then(work, work)
    lastByKey.set(key, result)
    const forget = () => {
      if (lastByKey.get(key) === result) lastByKey.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}
