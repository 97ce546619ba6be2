/** How many courier processes a channel is to have: as many as somebody has set, or as there is work for. */

/** of one core */
const busyShare = 0.7
/** Nothing waits, and has not for so long: one process fewer. */
const calmMs = 30_000

/**
 * One more only helps where those there are have their hands full: a channel that waits for its provider's rate is not faster by it.
 * @param {object} facts
 * @param {number | 'auto'} facts.wanted as it is set
 * @param {number} facts.now processes there are
 * @param {number} facts.busy share of a core that each of them uses, on average
 * @param {boolean} facts.waits there is work that nobody has claimed
 * @param {number} facts.calmMs since when there was none
 * @param {number} facts.room cores that are not used by couriers yet
 */
export function nextCount({ wanted, now, busy, waits, calmMs: calm, room }) {
  if (wanted !== 'auto') return wanted
  if (waits && busy > busyShare && room > 0) return now + 1
  if (now > 1 && !waits && calm > calmMs) return now - 1
  return Math.max(1, now)
}
