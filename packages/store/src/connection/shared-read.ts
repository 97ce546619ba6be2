import { timesLeft } from './corked.ts'

/**
 * A read that several ask for in one turn of the event loop is made once, for all of them. Whoever joins asks before it leaves for Redis, so
 * that each is answered what it would be by a read of its own.
 */
export function sharedRead<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  const forget = () => asked.clear()
  let times = 0
  return (name) => {
    // it may have left in the midst of this turn, with what was held back before it
    if (times !== timesLeft()) forget()
    const together = asked.get(name)
    if (together) return together
    if (asked.size === 0) {
      times = timesLeft()
      setImmediate(forget)
    }
    const reading = read(name)
    asked.set(name, reading)
    return reading
  }
}
