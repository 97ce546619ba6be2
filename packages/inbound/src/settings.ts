/** What every inbound process reads from its environment. Every error is one line that names the variable and hides its value. */

import { apiUrl, type Env, readSettings, text, withDefault } from '@courier-fleet/process'

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
  const [keyName, dirName] = [`${prefix}_API_KEY`, `${prefix}_DATA_DIR`] as const
  const example = 'http://127.0.0.1:8080'
  const { FLEET_API_URL } = readSettings(env, { FLEET_API_URL: withDefault(apiUrl(example), example) })
  const own = readSettings(env, {
    [keyName]: text('an API key of role inbound'),
    [dirName]: withDefault(text('a folder'), `.data/${name}`),
  })
  return { apiUrl: FLEET_API_URL, apiKey: own[keyName] as string, dataDir: own[dirName] as string }
}
