import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { channelNames, channels } from '@courier-fleet/channels'
import { expect } from 'chai'
import { inboundProcesses } from '../../scripts/inbound.mjs'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** of the tools, not of the fleet */
const foreign = new Set([
  'PATH',
  'NODE_ENV',
  'LC_ALL',
  'MOCHA_TOTALS',
  'TEST_PORTS',
  'TEST_REDIS_URL',
  'REDIS_SERVER',
  'CLOCK_FILE',
])

describe('.env.example', () => {
  const known = new Set([...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map((match) => match[1] as string))

  it('names every environment variable that is read anywhere', () => {
    const prefixes = [...channelNames.map((name) => name.toUpperCase()), 'FLEET', 'SANDBOX'].join('|')
    const sources = ['packages', 'scripts']
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
      .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$|^scripts\/[^/]+\.mjs$/.test(path))
    const pattern = new RegExp(`\\b(?:process\\.)?env\\.([A-Z][A-Z_]+)|\\b((?:${prefixes})_[A-Z_]+[A-Z])\\b`, 'g')
    /** fields of readSettings() */
    const field = /(?:^|\{|,) *([A-Z][A-Z_]+[A-Z]): /gm
    const namesIn = (text: string) => [
      ...[...text.matchAll(pattern)].map((match) => (match[1] ?? match[2]) as string),
      ...(text.includes('readSettings(') ? [...text.matchAll(field)].map((match) => match[1] as string) : []),
    ]
    expect(namesIn(read('packages/queue/src/main.ts'))).to.include.members(['HOST', 'PHONES_PAGE_URL'])
    const missing = sources.flatMap((path) =>
      namesIn(read(path))
        .filter((name) => !known.has(name) && !foreign.has(name))
        .map((name) => `${name} (${path})`),
    )
    expect([...new Set(missing)]).to.deep.equal([])
  })

  it('names what every channel can be set up with', () => {
    for (const { name, settings } of channels)
      expect(known).to.include.keys(...settings.real.flat(), settings.rate, `${name.toUpperCase()}_TARGET`)
    for (const { keyName, dirName } of inboundProcesses) expect(known).to.include.keys(keyName, dirName)
  })
})

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml')
  const commands = [...compose.matchAll(/^ {4}command: (\[.*\])$/gm)].map(([, list]) =>
    JSON.parse(list as string).join(' '),
  )

  it('runs a courier for every channel, and every inbound process', () => {
    const couriers = commands.filter((command) => command.startsWith('courier '))
    expect(couriers).to.have.members(channelNames.map((name) => `courier ${name}`))
    expect(commands).to.include.members(inboundProcesses.map(({ name }) => name))
    for (const { name } of inboundProcesses) expect(compose).to.include(`${name}:/app/.data/${name}`)
  })

  /** The lines of a service, as they stand in the file. */
  const serviceOf = (name: string) =>
    new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose.slice(compose.indexOf('\nservices:')))?.[1] ?? ''

  it('gives every courier what its channel can be set up with, and nothing of another', () => {
    for (const { name, settings } of channels) {
      const given = [...serviceOf(`courier-${name}`).matchAll(/^ {6}([A-Z_]+): /gm)].map((match) => match[1] as string)
      expect(given, name).to.include.members([...settings.real.flat(), settings.rate])
      for (const variable of given) expect(variable).to.match(new RegExp(`^${name.toUpperCase()}_`))
    }
    expect(compose, 'all of .env to nobody').not.to.contain('env_file')
  })

  it('lets only queue, couriers, notifier and timekeeper reach Redis, each by a user of its own', () => {
    const names = [...compose.slice(compose.indexOf('\nservices:')).matchAll(/^ {2}([a-z-]+):$/gm)].map(
      ([, name]) => name,
    )
    const services = names.slice(0, names.indexOf('vk-inbound') + 1) as string[]
    expect(services).to.include.members(['queue', 'redis', 'sandbox', 'timekeeper', 'bot'])
    const onRedis = services.filter((name) => /^ {6}- redis$/m.test(serviceOf(name)))
    expect(onRedis).to.have.members(['notifier', 'queue', 'redis', 'redis-cluster', 'timekeeper'])
    expect(compose).to.match(/^x-process-courier: &courier\n(?: .*\n)* {4}- redis\n/m)
    for (const user of ['queue', 'courier', 'notifier', 'timekeeper'])
      expect(compose).to.contain(
        `\${REDIS_SCHEME:-redis}://${user}:\${REDIS_${user.toUpperCase()}_PASSWORD:?see .env.example}@\${REDIS_HOSTS:-redis:6379}`,
      )
    for (const name of ['redis', 'valkey', 'redis-cluster-1', 'redis-replicated-1', 'redis-sentinel-1']) {
      expect(serviceOf(name), name).to.contain('/data')
      expect(serviceOf(name), name).not.to.contain('ports:')
      if (!name.startsWith('redis-sentinel')) expect(serviceOf(name), name).to.contain('redis-users.acl')
    }
  })
})
