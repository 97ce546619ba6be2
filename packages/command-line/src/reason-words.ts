import type { Reason } from '@courier-fleet/api-types'

/** Why somebody was not reached. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  blocked: 'has blocked us',
  deactivated: 'account is gone',
  invalid: 'address is wrong',
  undelivered: 'accepted, and not delivered',
  refused: 'the message was refused',
  'opted-out': 'asked us to stop',
  'no-answer': 'no answer from the provider',
  'courier-ended': 'interrupted while sending',
  'contact-removed': 'contact removed while sending',
  throttled: 'the provider made it wait too long',
  'reached-elsewhere': 'reached another way',
}
