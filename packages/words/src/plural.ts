/** Numbers in words. */

interface Forms {
  readonly one: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

/** `5 people`: the number as this language writes it, and the form that goes with it. */
export function createPlural(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) => `${numbers.format(count)} ${forms[rules.select(count) as keyof Forms] ?? forms.other}`
}
