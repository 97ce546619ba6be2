/** Every operation of the API is reached by its name, through the command, on a real service. */
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { type OpenApiDocument, operationsIn } from '../src/openapi-call.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('fleet api', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const run = (...args: string[]) => fleet.run(fleetCommand, ['api', ...args])

  it('reaches every operation of the document', async () => {
    const document = (await (await fetch(`${fleet.apiUrl}/openapi.json`)).json()) as OpenApiDocument
    const operations = operationsIn(document)
    expect(operations).to.have.length.above(90)
    const listed = (await run()).out
    for (const { id, method, path, parameters, bodyType } of operations) {
      expect(listed).to.match(new RegExp(`^${id} +${method} `, 'm'))
      // of things that are not there, by an id of every form, so that nothing is changed
      const values = parameters.filter(({ required }) => required).map(({ name }) => `${name}=${valueFor(name)}`)
      const body = bodyType === undefined ? [] : ['--body', '{}']
      const { code, out, err } = await run(id, ...values, ...body)
      expect(code, `${method} ${path}: ${err}`).to.be.oneOf([0, 2])
      expect(err, `${method} ${path}`).to.not.match(/there is nothing at|takes? (no|only) |does not answer/)
      if (code === 2) expect(err, out).to.match(/^api: \S/)
    }
  })

  const valueFor = (name: string) => (name === 'key' ? '00.nobody.aaaaaaaaaaaa' : 'fade')

  it('calls one with what it takes, and prints what it answers', async () => {
    const later = JSON.stringify({ to: ['user:anna'], text: 'Hello', at: '+1h', in: 3600 }).replace('"at":"+1h",', '')
    const sent = await run('sendMessage', 'Idempotency-Key=once', '--body', later)
    const { key } = JSON.parse(sent.out)
    expect([sent.code, sent.err]).to.deep.equal([0, ''])
    expect(JSON.parse((await run('sendMessage', 'Idempotency-Key=once', '--body', later)).out)).to.include({ key })
    const piped = await fleet.run(fleetCommand, ['api', 'sendMessage', '--body', '-'], {}, { input: [later] })
    expect(JSON.parse(piped.out).key).to.be.a('string').and.not.equal(key)
    const read = await run('readHistory', `key=${key}`)
    expect(JSON.parse(read.out)).to.deep.include({ key, text: 'Hello', to: ['user:anna'] })
  })

  it('says which address is none', async () => {
    const { code, err } = await fleet.run(fleetCommand, ['list'], { FLEET_API_URL: 'nowhere', FLEET_API_KEY: 'x' })
    expect([code, err]).to.deep.equal([
      2,
      'list: FLEET_API_URL is "nowhere", and not an address such as http://127.0.0.1:8080\n',
    ])
  })

  const wrong: [args: string[], says: RegExp][] = [
    [['sendMesage'], /^api: there is no operation "sendMesage"; did you mean sendMessage\?\n$/],
    [['listNothingAtAll'], /^api: there is no operation .*"fleet api" lists them\n$/],
    [['readHistory'], /^api: readHistory needs key=…\n$/],
    [['readHistory', 'kye=x'], /^api: readHistory takes no kye; it takes key/],
    [['readHistory', 'x'], /^api: parameters are name=value, not "x"; a body goes into --body\n$/],
    [['readHistory', 'key=x', '--body', '{}'], /^api: readHistory takes no body\n$/],
    [['sendMessage', '--body', 'Hello'], /^api: --body is no JSON: /],
    [['sendMessage', '--body', '@/nowhere.json'], /^api: cannot read \/nowhere\.json: there is no such file\n$/],
    [['readHistory', 'key=nonsense'], /^api: .*not a history key/],
  ]
  for (const [args, says] of wrong)
    it(`says in one line what is wrong with ${args.join(' ')}`, async () => {
      const { code, out, err } = await run(...args)
      expect(err).to.match(says)
      expect([code, out]).to.deep.equal([2, ''])
    })
})
