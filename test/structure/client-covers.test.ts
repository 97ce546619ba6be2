/** packages/client keeps step: each operation of the API is a call of it, or it is said why not. */
import { createClient } from '@courier-fleet/client'
import { expect } from 'chai'
import { type Service, startService } from '../../packages/queue/test/service.ts'
import type { Document } from './described.ts'

/** operations without a call of the client, and why */
const without: Readonly<Record<string, string>> = {
  isAlive: 'for load balancers',
  isReady: 'for load balancers',
  readMetrics: 'for Prometheus',
  readOpenApi: 'for generators of clients',
  readReference: 'for people, in a browser',
  showConfirmation: 'for people, from a mail',
  confirmByLink: 'for people, in a browser',
  showEnrolmentCode: 'for people, who were given the link',
  showApplicationForm: 'for people who are not in the list, in a browser',
  showGroupApplicationForm: 'for them, who were given the link',
  apply: 'for them, in a browser',
  applyForGroup: 'for them, in a browser',
  showApplication: 'for them, in a browser',
  readFile: 'for people, from a message',
  showUnsubscribe: 'for people, from a mail program',
  unsubscribe: 'for mail programs',
}

describe('the client', () => {
  let service: Service
  let paths: Document['paths']
  let url: string
  before(async () => {
    service = await startService()
    paths = (await service.call<Document>('/openapi.json')).json.paths
    url = await service.listen()
  })
  after(() => service.stop())

  it('has a call for every operation', async () => {
    const patterns = Object.entries(paths)
      .sort(([one], [other]) => one.split('{').length - other.split('{').length)
      .map(([path, methods]) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/:]+')}$`), methods }))
    const called = new Set<string>()
    const recording: typeof fetch = (at, init) => {
      const { pathname } = new URL(String(at))
      const found = patterns.find(({ pattern }) => pattern.test(pathname))
      called.add(found?.methods[(init?.method ?? 'GET').toLowerCase()]?.operationId ?? `${init?.method} ${pathname}`)
      return fetch(at, init)
    }
    const client = createClient({ apiUrl: url, apiKey: service.keyOf.admin, fetch: recording })
    // whatever becomes of it: what matters is where it goes
    for (const call of Object.values(client) as ((...args: string[]) => Promise<unknown> | AsyncGenerator)[]) {
      for (const given of [['x'], ['x', 'x', 'x']]) {
        const made = call(...given)
        await ('next' in made ? made.next() : made).catch(() => {})
      }
    }
    const all = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId = '' }) => operationId),
    )
    expect([...called, ...Object.keys(without)].sort()).to.deep.equal(all.sort())
  })
})
