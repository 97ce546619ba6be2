/** A number in the forms clients write it in → E.164 with +, as the World has it. */
export function toE164(text: string): string {
  const number = text.trim().replace(/^00/, '+')
  return number.startsWith('+') ? number : `+${number}`
}
