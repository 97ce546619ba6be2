/** What a role may do, as far as this process can know: one that it does not know may have been made a moment ago. */
import { type CallerRole, callerRoles, rightsOf } from '@courier-fleet/api-types'
import type { LiveSettings } from './live-settings.ts'

/** @param role of a person or of an API key @returns undefined for one that there is not: whoever has it may do nothing */
export async function rightsNow(
  settings: Pick<LiveSettings, 'current' | 'look'>,
  role: string,
): Promise<CallerRole | undefined> {
  const ofCaller = callerRoles.find((each) => each === role)
  if (ofCaller) return ofCaller
  const known = rightsOf(settings.current().roles, role)
  if (known) return known
  await settings.look()
  return rightsOf(settings.current().roles, role)
}
