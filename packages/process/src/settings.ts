/**
 * Settings from environment variables. What is wrong with one is said in one line that names the variable and what would be
 * right; its value is not repeated, for it may be a secret. A variable that is empty counts as missing.
 */

export type Env = Readonly<Record<string, string | undefined>>

/** Reads one variable; `text` is undefined when it is missing. @throws Error in one line */
export type Field<T> = (text: string | undefined, name: string) => T

export type Fields = Readonly<Record<string, Field<unknown>>>

/** @returns what the fields make of the variables of their names. @throws Error for the first that is missing or wrong */
export function readSettings<F extends Fields>(
  env: Env,
  fields: F,
): { readonly [name in keyof F]: ReturnType<F[name]> } {
  const values = Object.entries(fields).map(([name, read]) => [name, read(env[name] || undefined, name)])
  return Object.fromEntries(values)
}

/**
 * A variable that has to be there.
 * @param right what stands behind "must be"
 * @param parse undefined: it is wrong
 */
export function field<T>(right: string, parse: (text: string) => T | undefined): Field<T> {
  return (text, name) => {
    if (text === undefined) throw new Error(`${name} is missing: it must be ${right}`)
    const value = parse(text)
    if (value === undefined) throw new Error(`${name} must be ${right}`)
    return value
  }
}

/** Undefined when it is missing. */
export const optional =
  <T>(read: Field<T>): Field<T | undefined> =>
  (text, name) =>
    text === undefined ? undefined : read(text, name)

export const withDefault =
  <T>(read: Field<T>, value: T): Field<T> =>
  (text, name) =>
    text === undefined ? value : read(text, name)

/** A limit, with its default; undefined when it is lifted by the word "off". */
export function limit(
  right: string,
  parse: (text: string) => number | undefined,
  value: number,
): Field<number | undefined> {
  const read = withDefault(field(`${right}, or off`, parse), value)
  return (text, name) => (text === 'off' ? undefined : read(text, name))
}

/** Of what stands between commas; wrong where one of it is. */
export const list = <T>(right: string, parse: (part: string) => T | undefined): Field<readonly T[]> =>
  field(right, (given) => {
    const parts = given.split(',').map((part) => parse(part.trim()))
    return parts.includes(undefined) ? undefined : (parts as readonly T[])
  })

/** Any text, such as `right` says. */
export const text = (right: string): Field<string> => field(right, (given) => given)

export const matching = (pattern: RegExp, right: string): Field<string> =>
  field(right, (given) => (pattern.test(given) ? given : undefined))

export const parseWhole =
  (min: number, max: number) =>
  (given: string): number | undefined => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    return number >= min && number <= max ? number : undefined
  }

export const whole = (min: number, max: number): Field<number> =>
  field(`a whole number from ${min} to ${max}`, parseWhole(min, max))

export const port = whole(1, 65_535)

/** The address that a server listens on: nobody but this machine reaches it unless it is said. */
export const listenHost = withDefault(
  field('an address to listen on, such as 127.0.0.1, or 0.0.0.0 for all', (given) =>
    /^[\w.:%-]+$/.test(given) ? given : undefined,
  ),
  '127.0.0.1',
)

/** User and password of a URL; undefined when it has not both, or they are not percent-encoded well. */
export function loginOf({ username, password }: URL): { readonly user: string; readonly password: string } | undefined {
  try {
    return username && password
      ? { user: decodeURIComponent(username), password: decodeURIComponent(password) }
      : undefined
  } catch {
    return undefined
  }
}

export function parsePositive(given: string): number | undefined {
  const number = /^\d{1,15}(\.\d+)?$/.test(given) ? Number(given) : 0
  return number > 0 ? number : undefined
}

export const positive: Field<number> = field('a positive number', parsePositive)

/** @param example one that is right; its protocol is one of those allowed */
export function url(example: string, ...protocols: readonly string[]): Field<URL> {
  return field(`a URL such as ${example}`, (given) => {
    const found = URL.canParse(given) ? new URL(given) : undefined
    return found && protocols.includes(found.protocol) && found.hostname ? found : undefined
  })
}

/** The address of an HTTP API, without a trailing slash. */
export function apiUrl(example: string): Field<string> {
  const read = url(example, 'http:', 'https:')
  return (given, name) => read(given, name) && (given as string).replace(/\/+$/, '')
}

const maxPublicUrlLength = 400
const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Where people reach the queue by https, or on this machine by http; without a trailing slash; so short that a List-Unsubscribe stays below 900 characters, beyond which mail servers fold it. */
export const publicUrl: Field<string> = field(
  `an https:// URL of at most ${maxPublicUrlLength} characters, or http:// of this machine`,
  (given) => {
    const base = URL.canParse(given) ? new URL(given) : undefined
    const isSafe = base?.protocol === 'https:' || (base?.protocol === 'http:' && isHere.test(base.hostname))
    const isPlain = isSafe && base.search === '' && base.hash === '' && base.username === ''
    return isPlain && base.href.length <= maxPublicUrlLength
      ? (base.origin + base.pathname).replace(/\/+$/, '')
      : undefined
  },
)

/** Which a courier's provider is: the sandbox, or anything else for the real one. */
export const target: Field<'sandbox' | 'real'> = (given) => (given === 'sandbox' ? 'sandbox' : 'real')
