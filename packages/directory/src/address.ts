/** Addresses as people write them, and the one form of each that is stored. */
import { Problem } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** @throws RangeError when this is not an ISO 3166 country with telephones */
export function countryCode(country: string): CountryCode {
  if (!isSupportedCountry(country)) throw new RangeError(`"${country}" is not a country code such as RU`)
  return country
}

/**
 * The stored form of an address, as its channel's descriptor has it; of a channel the fleet does not know, any printable
 * text. Normalising twice changes nothing.
 * @throws Problem 422 `bad-address`, with the given field
 */
export function normaliseAddress(channel: string, text: string, country: CountryCode, field = 'address'): string {
  const { normalise, expected } = findChannel(channel)?.address ?? anyAddress
  const address = normalise(text.trim(), { phoneNumber: (written) => phoneNumber(written, country) })
  if (address === undefined) {
    throw new Problem(422, 'bad-address', `"${text.trim().slice(0, 40)}" is not ${expected}`, field)
  }
  return address
}

const anyAddress = {
  expected: 'an address',
  normalise: (text: string) => (/^[\x21-\x7e]{1,256}$/.test(text) ? text : undefined),
}

function phoneNumber(text: string, country: CountryCode): string | undefined {
  // the wide + of a Japanese keyboard is left out by the library: a number of another country would be one of this
  const phone = parsePhoneNumberFromString(text.replace('＋', '+'), { defaultCountry: country, extract: false })
  return phone?.isValid() && !phone.ext ? phone.number : undefined
}
