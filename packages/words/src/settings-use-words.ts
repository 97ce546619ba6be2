/** How many processes use the newest settings, and which do not, in sentences. */
import type { SettingsUse } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { createPlural } from './plural.ts'

interface UseCatalogue {
  use(using: number, of: number, version: number): string
  behind(name: string, version: number | undefined, seen: string): string
}

const inEnglish = createPlural('en')

const ru: UseCatalogue = {
  use: (using, of, version) => `Версию настроек ${version} используют процессы: ${using} из ${of}.`,
  behind: (name, version, seen) =>
    `${name}: ${version === undefined ? 'версию не сообщил' : `версия ${version}`}, последний сигнал ${seen}.`,
}

const en: UseCatalogue = {
  use: (using, of, version) =>
    `${using} of ${inEnglish(of, { one: 'process uses', other: 'processes use' })} version ${version} of the settings.`,
  behind: (name, version, seen) =>
    `${name} ${version === undefined ? 'has not said which version it uses' : `uses version ${version}`}, as of its last sign ${seen}.`,
}

const catalogues: Readonly<Record<Language, UseCatalogue>> = { ru, en }

/** @param moment on the clock of the reader @returns a sentence, and one of each process that is behind */
export function settingsUseWords(
  language: Language,
  { version, using, of, behind }: SettingsUse,
  moment: (at: string) => string,
): string[] {
  const said = catalogues[language]
  const late = behind.map(({ name, version: used, seenAt }) => said.behind(name, used, moment(seenAt)))
  return [said.use(using, of, version), ...late]
}
