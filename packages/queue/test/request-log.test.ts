/** What is said in the log of a request bears its id; what is not said costs nothing. */
import { capturedLog } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { RequestLog } from '../src/http/request-log.ts'
import { startService } from './service.ts'

type Line = Record<string, unknown>
const linesIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

describe('the log of a request', () => {
  it('says of each call which it was', async () => {
    const { log, text } = capturedLog()
    const service = await startService(undefined, undefined, log)
    try {
      await service.call('/v1/histories', { as: 'staff' })
      await service.call('/v1/histories', { as: 'staff' })
    } finally {
      await service.stop()
    }
    const answered = linesIn(text()).filter(({ msg }) => msg === 'answered')
    expect(answered.map(({ route, status }) => `${route} ${status}`)).to.deep.equal([
      '/v1/histories 200',
      '/v1/histories 200',
    ])
    const ids = answered.map(({ reqId }) => reqId)
    for (const id of ids) expect(id).to.match(/^[0-9a-f-]{36}$/)
    expect(ids[0]).not.to.equal(ids[1])
  })

  it('says what its level lets through, by its own name, and its children with it', () => {
    const { log, text } = capturedLog()
    log.level = 'warn'
    const own = new RequestLog(log, { reqId: 'one' })
    own.trace('a')
    own.debug({ route: '/' }, 'b')
    own.info('c')
    own.silent()
    expect(text()).to.equal('')
    own.warn({ route: '/' }, 'd')
    own.error('e')
    own.fatal('f')
    own.child({ part: 'body' }).error('g')
    expect(own.level).to.equal('warn')
    expect(linesIn(text()).map(({ level, msg, reqId }) => [level, msg, reqId])).to.deep.equal([
      [40, 'd', 'one'],
      [50, 'e', 'one'],
      [60, 'f', 'one'],
      [50, 'g', 'one'],
    ])
    expect(linesIn(text())[0]?.route).to.equal('/')
    expect(linesIn(text())[3]?.part).to.equal('body')
  })
})
