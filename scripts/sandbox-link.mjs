/** What the fleet needs of its sandbox: where the stand-ins listen, and whose phones they know. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { phoneNames } from './phone-names.mjs'

/** a call that is not answered by then is made again */
const answerWithinMs = 5000

/**
 * Waits until the sandbox at `url` answers.
 * @param {{ url: string, isAlive: () => boolean }} options
 * @returns {Promise<import('@courier-fleet/channels').Endpoints | undefined>} where its stand-ins listen; undefined when it
 *   ended meanwhile
 */
export const untilEndpoints = ({ url, isAlive }) => untilAnswered(isAlive, () => call(`${url}/endpoints`))

/**
 * Waits until the sandbox at `url` answers and gives it its phones. To be called again whenever it was restarted: it
 * remembers nothing, and may listen elsewhere.
 * @param {{ url: string, phonesFile: string, rosterFile: string, isAlive: () => boolean }} options
 * @returns {Promise<import('@courier-fleet/channels').Endpoints | undefined>} as untilEndpoints
 */
export function linkSandbox({ url, phonesFile, rosterFile, isAlive }) {
  return untilAnswered(isAlive, async () => {
    const endpoints = await call(`${url}/endpoints`)
    await putPhones(url, readFileSync(phonesFile))
    await putPhones(url, JSON.stringify(phoneNames(rosterFile)))
    return endpoints
  })
}

async function untilAnswered(isAlive, ask) {
  while (isAlive()) {
    try {
      return await ask()
    } catch (error) {
      if (!isNotThereYet(error)) throw error
      await sleep(50)
    }
  }
  return undefined
}

const isNotThereYet = ({ name, cause }) =>
  name === 'TimeoutError' || cause?.code === 'ECONNREFUSED' || cause?.code === 'ECONNRESET'

const putPhones = (url, body) =>
  call(`${url}/phones`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })

async function call(url, init) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerWithinMs) })
  const text = await response.text()
  if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${url}: ${text.slice(0, 200)}`)
  return text === '' ? undefined : JSON.parse(text)
}
