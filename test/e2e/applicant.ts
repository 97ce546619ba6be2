/** Somebody who is not in the list, and fills in the page on which people apply. */
import type { Fleet } from './fleet.ts'

/** @returns the code that the page shows, to be sent from the contact */
export async function codeToApply({ apiUrl }: Fleet, channel: string, language: 'ru' | 'en'): Promise<string> {
  const body = new URLSearchParams({ name: 'Новиков Пётр', wish: 'ИВТ-101', channel })
  const page = await fetch(`${apiUrl}/a`, { method: 'POST', headers: { 'accept-language': language }, body })
  const code = /\b(\d{4}) (\d{4})\b/.exec(await page.text())
  if (!code) throw new Error(`no code on ${page.url}: ${page.status}`)
  return `${code[1]}${code[2]}`
}
