/** What every inbound process reads from the environment. Every error is one line that names the variable and hides its value. */

export type Env = Readonly<Record<string, string | undefined>>

export function apiUrlOf(text = 'http://127.0.0.1:8080'): string {
  if (!URL.canParse(text)) throw new Error('FLEET_API_URL is not a URL')
  return text
}

export function required(env: Env, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is missing`)
  return value
}
