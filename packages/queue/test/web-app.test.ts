/** The web app beside the API: a page for those who ask for one, problems for everyone else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { capturedLog } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fastify } from 'fastify'
import type { App } from '../src/http/fastify-app.ts'
import { addNotFound } from '../src/http/methods.ts'
import { serveWebApp } from '../src/pages/web-app.ts'

describe('serving the web app', () => {
  let dir: string
  let app: App
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'web-app-'))
    mkdirSync(join(dir, 'assets'))
    writeFileSync(join(dir, 'index.html'), '<html><head></head><body>the app</body></html>')
    writeFileSync(join(dir, 'assets/index-abc.js'), 'console.log(1)')
    writeFileSync(join(dir, 'assets/index-abc.js.gz'), gzipSync('console.log(1)'))
    app = fastify() as unknown as App
    addNotFound(app)
    app.get('/v1/limits', async () => ({}))
    await serveWebApp(app, capturedLog().log, { dir, phonesPageUrl: 'http://127.0.0.1:8090/?a="b"' })
  })
  after(async () => {
    await app.close()
    rmSync(dir, { recursive: true })
  })

  it('answers the page at / and at every path of a view, to be asked for each time', async () => {
    for (const url of ['/', '/messages', '/messages/07.t-01.abc']) {
      const answer = await app.inject({ url, headers: page })
      expect(answer.statusCode, url).to.equal(200)
      expect(answer.headers['content-type'], url).to.equal('text/html; charset=utf-8')
      expect(answer.headers['cache-control'], url).to.equal('no-cache')
      expect(answer.body, url).to.contain('the app')
    }
  })

  it('says in the page where the phones are, with nothing to break out of the attribute', async () => {
    const { body } = await app.inject({ url: '/', headers: page })
    expect(body).to.contain('<meta name="phones-page" content="http://127.0.0.1:8090/?a=&#34;b&#34;">')
  })

  it('lets assets be kept for good, and sends them gzipped to those who take that', async () => {
    const gzipped = await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(gzipped.headers['content-encoding']).to.equal('gzip')
    expect(gzipped.headers['content-type']).to.match(/javascript/)
    const answer = await app.inject('/assets/index-abc.js')
    expect(answer.body).to.equal('console.log(1)')
    expect(answer.statusCode).to.equal(200)
    expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
  })

  it('still answers problems to programs, under /v1, and for assets that are gone', async () => {
    const asked = [
      { url: '/nowhere' },
      { url: '/v1/nowhere', headers: page },
      { url: '/assets/gone.js', headers: page },
      { url: '/assets/../index.html' },
      { url: '/nowhere', method: 'POST' as const, headers: page },
    ]
    for (const request of asked) {
      const answer = await app.inject(request)
      expect(answer.statusCode, JSON.stringify(request)).to.equal(404)
      expect(answer.headers['content-type'], JSON.stringify(request)).to.match(/^application\/problem\+json/)
    }
    const wrong = await app.inject({ url: '/v1/limits', method: 'POST', headers: page })
    expect([wrong.statusCode, wrong.headers.allow]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('says so in one line when it is not built, and serves the API alone', async () => {
    const { log, text } = capturedLog()
    const bare = fastify() as unknown as App
    await serveWebApp(bare, log, { dir: join(dir, 'nowhere') })
    expect(text().trim().split('\n')).to.have.lengthOf(1)
    expect(text()).to.contain('npm run build')
    expect((await bare.inject({ url: '/', headers: page })).statusCode).to.equal(404)
    await bare.close()
  })
})
