import { field, withDefault } from '@courier-fleet/process'
import { isSupportedCountry } from 'libphonenumber-js'

const country = field('a country code such as RU', (code) => (isSupportedCountry(code) ? code : undefined))

/** FLEET_COUNTRY: of telephone numbers that are written without one. */
export const fleetCountry = withDefault(country, 'RU')
