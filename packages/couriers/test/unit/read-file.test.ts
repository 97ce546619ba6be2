import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MessageFile } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { createReadFile } from '../../src/engine/read-file.ts'

const bytes = Buffer.from('%PDF-1.7\0\xff', 'latin1')
const never = new AbortController().signal

describe('a file that a courier reads from the queue', () => {
  let server: Server
  let url: string
  let asked: (string | undefined)[]
  let status: number
  beforeEach(async () => {
    asked = []
    status = 200
    server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status, { location: '/elsewhere' }).end(status === 200 ? bytes : '<html>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const fileAt = (base: string, size = bytes.length): MessageFile => ({
    id: 'plan00000000',
    name: 'plan.pdf',
    type: 'application/pdf',
    size,
    until: '2026-12-01T00:00:00.000Z',
    link: `${base}/f/plan00000000?e=tln5c0&s=q1w2e3r4t5y6u7i8`,
  })
  const whyNot = (read: Promise<unknown>) => read.then(String, (error: Error) => error.message)

  it('is asked for by its link, or by the same path at FILES_URL, whatever PUBLIC_URL says', async () => {
    expect(await createReadFile(undefined)(fileAt(url), never)).to.deep.equal(bytes)
    expect(await createReadFile(url)(fileAt('https://fleet.example/f/queue'), never)).to.deep.equal(bytes)
    expect(asked).to.deep.equal(Array(2).fill('/f/plan00000000?e=tln5c0&s=q1w2e3r4t5y6u7i8'))
  })

  it('is gone where the queue says so, and not known where it says anything else, or gives another number of bytes', async () => {
    const read = createReadFile(url)
    for (status of [404, 410]) expect(await read(fileAt(url), never)).to.equal('gone')
    status = 503
    expect(await whyNot(read(fileAt(url), never))).to.equal('the queue answered 503')
    status = 302
    expect(await whyNot(read(fileAt(url), never))).to.equal('fetch failed')
    status = 200
    expect(await whyNot(read(fileAt(url, 5), never))).to.equal(
      `the queue gave ${bytes.length} bytes, and the file has 5`,
    )
  })
})
