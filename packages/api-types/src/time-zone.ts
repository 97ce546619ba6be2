/** Names of time zones, as this machine knows them. */

/** there are some 600 names; when so many were asked for, right and wrong ones, all are forgotten */
const maxAsked = 1000
/** asking Intl is dear, and a list of people asks for each */
const asked = new Map<string, boolean>()

/** Whether this is an IANA name such as Europe/Moscow. An offset such as +03:00 passes Intl, but knows no summer time. */
export function isTimeZone(name: string): boolean {
  let found = asked.get(name)
  if (found !== undefined) return found
  found = /^[A-Za-z]/.test(name) && passesIntl(name)
  if (asked.size >= maxAsked) asked.clear()
  asked.set(name, found)
  return found
}

function passesIntl(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
