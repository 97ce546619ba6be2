/** The answers of SMPP 3.4 (section 5.1.3) that this centre gives. */
export const status = {
  ok: 0x00,
  wrongBindState: 0x04,
  alreadyBound: 0x05,
  invalidDestination: 0x0b,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  submitFailed: 0x45,
  throttled: 0x58,
} as const
