/** Channels a fleet can be sized for, and where the bench has measured them. */

/** as the bench names them */
export const measuredNames = { vk: 'VK', telegram: 'Telegram', sms: 'SMPP' }
/** measured as another is */
const measuredAs = { mail: 'sms', http: 'sms', push: 'sms' }

export const channels = [...Object.keys(measuredNames), ...Object.keys(measuredAs)]

/** The channel whose costs stand for this one's. */
export const measuredFor = (channel) => measuredAs[channel] ?? channel

/** what accounts are usually allowed, people a second; see .env.example */
export const allowed = { telegram: 30, vk: 50_000, sms: 100, mail: 10 }
