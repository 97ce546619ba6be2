import { isTimeZone } from '@courier-fleet/api-types'
import { field, withDefault } from '@courier-fleet/process'

const timeZone = field('a time zone such as Europe/Moscow', (name) => (isTimeZone(name) ? name : undefined))

/** FLEET_TIME_ZONE: whose midnight ends the day of a daily limit, and where somebody is counted to be whose own zone is not known. */
export const fleetTimeZone = withDefault(timeZone, 'Europe/Moscow')
