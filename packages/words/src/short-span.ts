/** A length of time as it is glanced at: `41 s`, `3 min 5 s`, `2 h`, `3 days`. */
import type { Language } from './catalogue.ts'

const units: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: ['s', 'min', 'h', 'days'],
  ru: ['с', 'мин', 'ч', 'дн.'],
}

export function shortSpan(language: Language, ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [s, min, h, d] = units[language]
  if (seconds < 60) return `${seconds} ${s}`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} ${min}` : `${minutes} ${min} ${seconds % 60} ${s}`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} ${h}` : `${hours} ${h} ${minutes % 60} ${min}`
  return `${Math.floor(hours / 24)} ${d}`
}
