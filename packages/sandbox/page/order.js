/**
 * Which phones are on the wall, and in which order. One in sight stays where it is; one out of sight on which something arrived is
 * brought to the front, but not while somebody is busy on the wall, and not all the time.
 */
const phonesKept = 600
export const keyOf = ({ channel, address }) => `${channel} ${address}`
const latestAt = ({ messages }) => messages.at(-1)?.at ?? 0

export function createOrder() {
  /** key → phone, in the order of the wall */
  let phones = new Map()
  /** on these something arrived out of sight; the latest at the end */
  const calling = new Set()

  return {
    get: (key) => phones.get(key),
    /** @param channel all when undefined */
    keys: (channel) => [...phones.values()].filter((phone) => !channel || phone.channel === channel).map(keyOf),
    calling: () => calling.size,

    /** The wall anew: the latest messages first, silent phones by name. */
    reset(views) {
      calling.clear()
      const name = (view) => view.name ?? view.address
      const sorted = [...views].sort((a, b) => latestAt(b) - latestAt(a) || name(a).localeCompare(name(b)))
      phones = new Map(sorted.map((view) => [keyOf(view), view]))
    },

    /** @param isInSight whether a phone is seen now */
    change(view, isInSight) {
      const key = keyOf(view)
      const before = phones.get(key)
      phones.set(key, view)
      const arrived = latestAt(view) > (before ? latestAt(before) : 0)
      if (!before || (arrived && !isInSight(key))) {
        calling.delete(key)
        calling.add(key)
      }
    },

    /** @returns whether the order is another one now */
    bringForward() {
      if (calling.size === 0) return false
      const front = [...calling].reverse().filter((key) => phones.has(key))
      const rest = [...phones.keys()].filter((key) => !calling.has(key))
      phones = new Map([...front, ...rest].slice(0, phonesKept).map((key) => [key, phones.get(key)]))
      calling.clear()
      return true
    },
  }
}
