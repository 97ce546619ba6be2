/** Puts messages one by one over HTTP, so many connections at a time, in a process of its own. */
import { Pool } from 'undici'
import { answerCalls } from '../answer-calls.mjs'

answerCalls({
  /** Issues so many history keys. */
  async issue({ url, apiKey, count, connections }) {
    const pool = new Pool(url, { connections })
    const keys = []
    await inParallel(connections, count, async () => {
      const { statusCode, body } = await request(pool, apiKey, 'POST', '/v1/history-keys')
      if (statusCode !== 201) throw new Error(`a key was refused: ${statusCode} ${await body.text()}`)
      keys.push((await body.json()).key)
    })
    await pool.close()
    return keys
  },

  /** One PUT for each key. @returns ms in all, and of each */
  async put({ url, apiKey, keys, messages, connections }) {
    const pool = new Pool(url, { connections })
    const bodies = messages.map((message) => JSON.stringify(message))
    const latencies = []
    const startedAt = performance.now()
    await inParallel(connections, keys.length, async (index) => {
      const startedAt = performance.now()
      const { statusCode, body } = await request(pool, apiKey, 'PUT', `/v1/histories/${keys[index]}`, bodies[index])
      const text = await body.text()
      latencies.push(performance.now() - startedAt)
      if (statusCode !== 201) throw new Error(`a message was refused: ${statusCode} ${text}`)
    })
    const ms = performance.now() - startedAt
    await pool.close()
    return { ms, latencies }
  },
})

function request(pool, apiKey, method, path, body) {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  return pool.request({ method, path, headers, body })
}

async function inParallel(workers, count, action) {
  let next = 0
  async function work() {
    while (next < count) await action(next++)
  }
  await Promise.all(Array.from({ length: workers }, work))
}
