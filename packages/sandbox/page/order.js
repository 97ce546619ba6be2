/**
 * Which people are on the wall, and in which order; a phone whose person nobody has named stands for one. A row in sight stays where
 * it is; one out of sight on which something arrived is brought to the front, but not while somebody is busy on the wall, and not
 * all the time.
 */
const maxRows = 600
const togetherMs = 5000
const talkMs = 120_000
export const keyOf = ({ channel, address }) => `${channel} ${address}`
/** @returns the row a phone stands in */
export const rowOf = (phone) => phone.person ?? keyOf(phone)
const phonesOf = ({ phones }) => [...phones.values()]
const isSystem = (row) => phonesOf(row).some(({ channel }) => channel === 'http')
const nameOf = (row) => phonesOf(row)[0].name ?? phonesOf(row)[0].address
/** the systems of others after the people, as the sandbox has them */
const byName = (a, b) => (isSystem(a) || isSystem(b) ? isSystem(a) - isSystem(b) : nameOf(a).localeCompare(nameOf(b)))
const latestOf = ({ messages }) => messages.at(-1)?.at ?? 0
const latestAt = (row) => Math.max(0, ...phonesOf(row).map(latestOf))

/** what arrived together stands together */
const latestMoment = (row) => Math.floor(latestAt(row) / togetherMs)

/** Somebody has written on a phone of theirs a short while ago: they stay in front. */
const isTalking = (row) =>
  phonesOf(row).some(({ messages }) => messages.some(({ from, at }) => from === 'person' && at > Date.now() - talkMs))
const rank = (row) => (isTalking(row) ? 0 : 1)

/** Another object whenever something in it is another. */
const withPhone = (row, view) => ({ phones: new Map([...(row?.phones ?? []), [keyOf(view), view]]) })

/** @returns key → row, of all these phones */
export function rowsOf(views) {
  const rows = new Map()
  for (const view of views) rows.set(rowOf(view), withPhone(rows.get(rowOf(view)), view))
  return rows
}

export function createOrder() {
  /** key → row, in the order of the wall */
  let rows = new Map()
  /** of these something arrived out of sight */
  const calling = new Set()

  return {
    get: (key) => rows.get(key),
    /** @param channel all when undefined */
    keys: (channel) =>
      [...rows]
        .filter(([, row]) => !channel || phonesOf(row).some((phone) => phone.channel === channel))
        .map(([key]) => key),
    calling: () => calling.size,

    /** The wall anew: the latest messages first, silent people by name. */
    reset(views) {
      calling.clear()
      rows = new Map([...rowsOf(views)].sort(([, a], [, b]) => latestMoment(b) - latestMoment(a) || byName(a, b)))
    },

    /** @param isInSight whether a row is seen now */
    change(view, isInSight) {
      const key = rowOf(view)
      const before = rows.get(key)
      const row = withPhone(before, view)
      rows.set(key, row)
      const arrived = latestAt(row) > (before ? latestAt(before) : 0)
      if (!before || (arrived && !isInSight(key))) calling.add(key)
      // nobody may be brought to the front for a long time: those who called first have to wait elsewhere
      if (rows.size > 2 * maxRows) {
        const [first] = calling
        calling.delete(first)
        rows.delete(first)
      }
    },

    /** @returns whether the order is another one now */
    bringForward() {
      if (calling.size === 0) return false
      const all = [...rows]
      const isFront = ([key, row]) => isTalking(row) || calling.has(key)
      const front = all.filter(isFront).sort(([, a], [, b]) => rank(a) - rank(b) || byName(a, b))
      const rest = all.filter((each) => !isFront(each))
      rows = new Map([...front, ...rest].slice(0, maxRows))
      calling.clear()
      return true
    },
  }
}
