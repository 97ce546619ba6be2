/** The fleet that is measured: its API, its sandbox, its Redis. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { keys } from '@courier-fleet/store'

/** @param {{ apiUrl: string, apiKey: string, redisUrl: string, sandboxUrl: string }} facts what fleet.json says */
export function createRunningFleet(facts) {
  async function call(method, path, body, type = 'application/json') {
    const response = await fetch(`${facts.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${facts.apiKey}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }

  const sandbox = (path, init) => fetch(`${facts.sandboxUrl}${path}`, init)

  return {
    /** @throws Error when the answer is no success */
    call,

    /** Puts messages by POST /v1/messages:bulk. @yields each answered line. @throws Error at the first that was refused */
    async *bulk(lines) {
      const response = await call(
        'POST',
        '/v1/messages:bulk',
        Readable.toWeb(Readable.from(lines)),
        'application/x-ndjson',
      )
      for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
        const { status, ...rest } = JSON.parse(line)
        if (status !== 201) throw new Error(`a line was refused: ${JSON.stringify(rest)}`)
        yield rest
      }
    },

    /** Imports made-up people. @returns the report */
    async importPeople(count, options) {
      const { generatePeople } = await import('@courier-fleet/testkit')
      const csv = Readable.toWeb(Readable.from(generatePeople(count, options)))
      return (await call('POST', '/v1/imports', csv, 'text/csv')).json()
    },

    sandboxLimits: async () => (await sandbox('/limits')).json(),
    setSandboxLimits: (limits) => postJson('/limits', limits),
    /** Empties the sandbox's list of what was accepted. */
    resetSandbox: () => sandbox('/reset', { method: 'POST' }),
    /** What the sandbox has accepted, from this row on. @yields {{ channel: string, address: string, key: string }} */
    async *accepted(since) {
      const response = await sandbox(`/accepted?since=${since}`)
      for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) yield JSON.parse(line)
    },

    /** Runs `action` with a connection to the fleet's Redis that is closed afterwards. */
    async withRedis(action) {
      const { Redis } = await import('ioredis')
      const redis = new Redis(facts.redisUrl)
      try {
        return await action(redis)
      } finally {
        redis.disconnect()
      }
    },
  }

  function postJson(path, body) {
    return sandbox(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }
}

/** Names of all shards of this fleet. */
export async function shardNames(redis) {
  const shards = Number(await redis.hget(keys.fleet, 'shards'))
  return Array.from({ length: shards }, (_unused, index) => String(index).padStart(2, '0'))
}

export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}`)
}
