/** What is sent in a week: mostly reminders to one person, over all channels, and now and then a message to a thousand. */

export const audience = 1000
export const cohort = 'measured-week'
/** lines written at once */
const chunk = 100

/**
 * @param {number} histories
 * @returns the bodies as NDJSON, a generator of arrays of lines, and how many messages each provider is to get
 */
export async function traffic(histories) {
  const { generatedId } = await import('@courier-fleet/testkit')
  const wanted = { telegram: 0, vk: 0, sms: 0 }
  const channels = Array.from({ length: histories }, (_unused, index) => channelOf(index))
  for (const [index, channel] of channels.entries()) wanted[channel] += index % audience === 0 ? audience : 1

  function* lines() {
    for (let from = 0; from < histories; from += chunk) {
      yield channels.slice(from, from + chunk).map((channel, offset) => {
        const index = from + offset
        // 7919 is prime: neighbours go to different people
        const to = index % audience === 0 ? `cohort:${cohort}` : `user:${generatedId((index * 7919) % audience)}`
        return JSON.stringify({ to: [to], channels: [channel], text: `Напоминание номер ${index}` })
      })
    }
  }
  return { lines: lines(), wanted }
}

/** Seven of ten on VK, with all that goes to a thousand; two by SMS, one on Telegram. */
function channelOf(index) {
  return ['vk', 'telegram', 'sms', 'sms'][index % 10] ?? 'vk'
}

/** @param {Generator<string[]>} lines  @yields them as bytes, at most `perMs` of them a millisecond */
export async function* paced(lines, perMs) {
  const startedAt = Date.now()
  let written = 0
  for (const some of lines) {
    const waitMs = startedAt + written / perMs - Date.now()
    if (waitMs > 0) await new Promise((wake) => setTimeout(wake, waitMs))
    yield Buffer.from(`${some.join('\n')}\n`)
    written += some.length
  }
}
