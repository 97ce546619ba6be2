import type { Phone } from '../stand-in.ts'

/** Errors as api.vk.com words them: https://dev.vk.com/reference/errors and the method pages. */
const descriptions: Readonly<Record<number, string>> = {
  1: 'Unknown error occurred',
  3: 'Unknown method passed',
  5: 'User authorization failed: invalid access_token (4).',
  6: 'Too many requests per second',
  8: 'Invalid request: v (version) is required',
  9: 'Flood control',
  10: 'Internal server error',
  12: 'Unable to compile code',
  13: 'Runtime error occurred during code invocation',
  14: 'Captcha needed',
  18: 'User was deleted or banned',
  29: 'Rate limit reached',
  36: 'Method execution was interrupted due to timeout',
  100: 'One of the parameters specified was missing or invalid',
  105: "Couldn't save file",
  900: "Can't send messages for users from blacklist",
  901: "Can't send messages for users without permission",
  902: "Can't send messages to this user due to their privacy settings",
  909: "Can't edit this message, because it's too old",
  911: 'Keyboard format is invalid',
  912: 'This is a chat bot feature, change this status in settings',
  914: 'Message is too long',
  917: "You don't have access to this chat",
  924: "Can't delete this message for everybody",
  936: 'Contact not found',
  950: "Can't send message, reply timed out",
}

/** Errors that concern one peer only: among many peers they stand beside the others' successes. */
export const peerErrorCodes: ReadonlySet<number> = new Set([7, 18, 900, 901, 902, 917, 936])

/** of whoever cannot be written to */
export const refusals: Readonly<Record<Phone['state'], number | undefined>> = {
  ok: undefined,
  off: undefined,
  blocked: 901,
  deactivated: 18,
  unknown: 936,
}

export function describeError(code: number): string {
  return descriptions[code] ?? 'Unknown error occurred'
}

export class VkError extends Error {
  readonly code: number

  /** `detail` is put behind VK's own wording. */
  constructor(code: number, detail?: string) {
    super(detail ? `${describeError(code)}: ${detail}` : describeError(code))
    this.name = 'VkError'
    this.code = code
  }
}
