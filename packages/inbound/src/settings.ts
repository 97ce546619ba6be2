/** What every inbound process reads from its environment. Every error is one line that names the variable and hides its value. */

export type Env = Readonly<Record<string, string | undefined>>

export interface InboundSettings {
  readonly apiUrl: string
  /** of role `inbound` */
  readonly apiKey: string
  /** files of this process alone */
  readonly dataDir: string
}

/**
 * @param name of the process, such as `sms-inbound`: its variables begin with SMS_INBOUND_
 * @throws Error naming the variable that is missing or wrong
 */
export function readInboundSettings(name: string, env: Env): InboundSettings {
  const prefix = name.toUpperCase().replaceAll('-', '_')
  const apiUrl = env.FLEET_API_URL || 'http://127.0.0.1:8080'
  if (!URL.canParse(apiUrl)) throw new Error('FLEET_API_URL must be a URL such as http://127.0.0.1:8080')
  return {
    apiUrl,
    apiKey: required(env, `${prefix}_API_KEY`),
    dataDir: env[`${prefix}_DATA_DIR`] || `.data/${name}`,
  }
}

export function required(env: Env, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is missing`)
  return value
}
