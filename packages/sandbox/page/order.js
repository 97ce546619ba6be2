/**
 * Which phones are on the wall, and in which order. One in sight stays where it is; one out of sight on which something arrived is
 * brought to the front, but not while somebody is busy on the wall, and not all the time.
 */
const maxPhones = 600
const togetherMs = 5000
const talkMs = 120_000
export const keyOf = ({ channel, address }) => `${channel} ${address}`
const isSystem = ({ channel }) => channel === 'http'
/** the systems of others after the people, as the sandbox has them */
const byName = (a, b) =>
  isSystem(a) || isSystem(b) ? isSystem(a) - isSystem(b) : (a.name ?? a.address).localeCompare(b.name ?? b.address)
const latestAt = ({ messages }) => messages.at(-1)?.at ?? 0

/** what arrived together stands together, the phones of one person side by side */
const latestMoment = (phone) => Math.floor(latestAt(phone) / togetherMs)

/** Somebody has written on it a short while ago: it stays in front, where they are. */
const isTalking = ({ messages }) => messages.some(({ from, at }) => from === 'person' && at > Date.now() - talkMs)
const rank = (phone) => (isTalking(phone) ? 0 : 1)

export function createOrder() {
  /** key → phone, in the order of the wall */
  let phones = new Map()
  /** on these something arrived out of sight */
  const calling = new Set()

  return {
    get: (key) => phones.get(key),
    /** @param channel all when undefined */
    keys: (channel) => [...phones.values()].filter((phone) => !channel || phone.channel === channel).map(keyOf),
    calling: () => calling.size,

    /** The wall anew: the latest messages first, silent phones by name. */
    reset(views) {
      calling.clear()
      const sorted = [...views].sort((a, b) => latestMoment(b) - latestMoment(a) || byName(a, b))
      phones = new Map(sorted.map((view) => [keyOf(view), view]))
    },

    /** @param isInSight whether a phone is seen now */
    change(view, isInSight) {
      const key = keyOf(view)
      const before = phones.get(key)
      phones.set(key, view)
      const arrived = latestAt(view) > (before ? latestAt(before) : 0)
      if (!before || (arrived && !isInSight(key))) calling.add(key)
      // nobody may be brought to the front for a long time: those who called first have to wait elsewhere
      if (phones.size > 2 * maxPhones) {
        const [first] = calling
        calling.delete(first)
        phones.delete(first)
      }
    },

    /** @returns whether the order is another one now */
    bringForward() {
      if (calling.size === 0) return false
      const all = [...phones.values()]
      const isFront = (phone) => isTalking(phone) || calling.has(keyOf(phone))
      const front = all.filter(isFront).sort((a, b) => rank(a) - rank(b) || byName(a, b))
      const rest = all.filter((phone) => !isFront(phone))
      phones = new Map([...front, ...rest].slice(0, maxPhones).map((phone) => [keyOf(phone), phone]))
      calling.clear()
      return true
    },
  }
}
