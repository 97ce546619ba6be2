/** What the fleet needs of its sandbox: where the stand-ins listen, and whose phones they know. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { phoneNames } from './phone-names.mjs'

/**
 * Waits until the sandbox at `url` answers and gives it its phones. To be called again whenever it was restarted: it
 * remembers nothing, and may listen elsewhere.
 * @param {{ url: string, phonesFile: string, rosterFile: string, isAlive: () => boolean }} options
 * @returns the stand-ins' endpoints; undefined when the sandbox ended meanwhile
 */
export async function linkSandbox({ url, phonesFile, rosterFile, isAlive }) {
  while (isAlive()) {
    try {
      const endpoints = await call(`${url}/endpoints`)
      await putPhones(url, readFileSync(phonesFile))
      await putPhones(url, JSON.stringify(phoneNames(rosterFile)))
      return endpoints
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' && error.cause?.code !== 'ECONNRESET') throw error
      await sleep(50)
    }
  }
  return undefined
}

const putPhones = (url, body) =>
  call(`${url}/phones`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })

async function call(url, init) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${url}: ${text.slice(0, 200)}`)
  return text === '' ? undefined : JSON.parse(text)
}
