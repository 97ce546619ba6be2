/** What an address looks like on each channel, and the one form of it that is stored. */
import { Problem } from '@courier-fleet/api-types'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** VK gives peers from here on to group chats. */
const firstVkChat = 2_000_000_000

/** @throws RangeError when this is not an ISO 3166 country with telephones */
export function countryCode(country: string): CountryCode {
  if (!isSupportedCountry(country)) throw new RangeError(`"${country}" is not a country code such as RU`)
  return country
}

/**
 * The stored form of an address: E.164 for SMS, digits for Telegram and VK. Normalising twice changes nothing.
 * @throws Problem 422 `bad-address`, with the given field
 */
export function normaliseAddress(channel: string, text: string, country: CountryCode, field = 'address'): string {
  const address = text.trim()
  if (channel === 'sms') return normalisePhone(address, country, field)
  if (channel === 'telegram' || channel === 'vk') return normaliseUserId(channel, address, field)
  if (!/^[\x21-\x7e]{1,256}$/.test(address)) throw bad(`"${short(address)}" is not an address`, field)
  return address
}

function normalisePhone(text: string, country: CountryCode, field: string): string {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false })
  if (!phone?.isValid() || phone.ext) {
    throw bad(`"${short(text)}" is not a telephone number; write it like +79001234567`, field)
  }
  return phone.number
}

function normaliseUserId(channel: string, text: string, field: string): string {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number) || (channel === 'vk' && number >= firstVkChat)) {
    throw bad(`"${short(text)}" is not a ${channel} user id: a positive whole number without blanks or signs`, field)
  }
  return text
}

const bad = (detail: string, field: string) => new Problem(422, 'bad-address', detail, field)
const short = (text: string) => text.slice(0, 40)
