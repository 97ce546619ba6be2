import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { type Link, openLink, type Witness } from '../src/link.ts'
import { until } from '../src/until.ts'

describe('link', () => {
  let server: Server
  let heard: string
  let link: Link
  const clients: Socket[] = []

  beforeEach(async () => {
    heard = ''
    // answers every request by saying it again in capitals
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => {
        heard += data.toString()
        socket.write(data.toString().toUpperCase())
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    link = await openLink({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await link.close()
    server.close()
    await once(server, 'close')
  })

  async function open(): Promise<Socket> {
    const client = connect(link.port, '127.0.0.1')
    clients.push(client)
    client.on('error', () => {})
    await once(client, 'connect')
    return client
  }

  async function ask(client: Socket, text: string): Promise<string> {
    client.write(text)
    const [answer] = await Promise.race([once(client, 'data'), once(client, 'close').then(() => ['closed'])])
    return String(answer)
  }

  it('passes both ways', async () => {
    expect(await ask(await open(), 'hello')).equal('HELLO')
  })

  it('catches a request before the server hears it', async () => {
    const client = await open()
    link.arm({
      moment: 'before',
      matches: (sent) => sent.includes('second'),
      spring: () => {
        link.cut()
        return 'drop'
      },
    })
    expect(await ask(client, 'first')).equal('FIRST')
    expect(await ask(client, 'second')).equal('closed')
    expect(heard).equal('first')
  })

  it('catches the answer to a request the server has heard', async () => {
    const client = await open()
    link.arm({
      moment: 'after',
      matches: (sent) => sent.includes('second'),
      spring: () => {
        link.cut()
        return 'drop'
      },
    })
    expect(await ask(client, 'second')).equal('closed')
    expect(heard).equal('second')
    expect(await ask(await open(), 'second')).equal('SECOND')
  })

  it('springs once, and not after it was taken away', async () => {
    const client = await open()
    let sprung = 0
    const trap = {
      moment: 'before' as const,
      matches: () => true,
      spring: () => {
        sprung += 1
        return 'forward' as const
      },
    }
    link.arm(trap)
    await ask(client, 'one')
    await ask(client, 'two')
    link.arm(trap)()
    await ask(client, 'three')
    expect(sprung).equal(1)
    expect(heard).equal('onetwothree')
  })

  it('does not spring for an answer that comes after it was taken away', async () => {
    const asked = once(server, 'asked')
    server.removeAllListeners('connection')
    server.on('connection', (socket) => socket.on('data', () => server.emit('asked', socket)))
    const client = await open()
    let sprung = false
    const disarm = link.arm({
      moment: 'after',
      matches: () => true,
      spring: () => {
        sprung = true
        return 'drop'
      },
    })
    client.write('question')
    const [socket] = (await asked) as [Socket]
    disarm()
    const answer = once(client, 'data')
    socket.write('answer')
    expect(String((await answer)[0])).equal('answer')
    expect(sprung).equal(false)
  })

  it('refuses, and takes connections on the same port again', async () => {
    const client = await open()
    const cut = once(client, 'close')
    await link.refuse()
    await cut
    const refused = connect(link.port, '127.0.0.1')
    clients.push(refused)
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).equal('ECONNREFUSED')
    await link.restore()
    expect(await ask(await open(), 'back')).equal('BACK')
  })

  it('lets answers come later', async () => {
    const client = await open()
    await ask(client, 'x')
    link.delay(50)
    const startedAt = performance.now()
    expect(await ask(client, 'late')).equal('LATE')
    expect(performance.now() - startedAt).greaterThan(45) // timers may be a little early
  })

  it('keeps the order of answers when the delay ends meanwhile', async () => {
    const client = await open()
    await ask(client, 'x')
    link.delay(1000)
    let answers = ''
    const both = new Promise<void>((resolve) => {
      client.on('data', (data) => {
        answers += data.toString()
        if (answers.length === 6) resolve()
      })
    })
    client.write('one')
    await until(() => heard === 'xone', 'the server has heard it')
    await link.restore()
    client.write('two')
    await both
    expect(answers).equal('ONETWO')
  })

  it('falls silent for open and for new connections, and then lets through what was held', async () => {
    const before = await open()
    expect(await ask(before, 'x')).equal('X')
    link.silence()
    const during = await open()
    before.write('held')
    during.write('too')
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1')
    clients.push(other)
    // what goes round by the server itself is the measure of time: nothing of the silent ones came in it
    expect(await ask(other, 'direct')).equal('DIRECT')
    expect(heard).equal('xdirect')
    const answers = [once(before, 'data'), once(during, 'data')]
    await link.restore()
    expect((await Promise.all(answers)).flat().map(String).sort()).eql(['HELD', 'TOO'])
  })

  describe('of some', () => {
    const named = (name: string) => (witness: Witness & { name?: string }) => witness.name === name

    beforeEach(async () => {
      await link.close()
      link = await openLink({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, () => {
        const witness: Witness & { name?: string } = {
          asked(chunk) {
            witness.name ??= chunk.toString()
          },
        }
        return witness
      })
    })

    it('cuts and refuses those, now and later, and nobody else', async () => {
      const [anna, boris] = [await open(), await open()]
      expect([await ask(anna, 'anna'), await ask(boris, 'boris')]).to.deep.equal(['ANNA', 'BORIS'])
      const hers = link.of(named('anna'))
      const cut = once(anna, 'close')
      await hers.refuse()
      await cut
      expect(await ask(await open(), 'anna')).equal('closed')
      expect(await ask(boris, 'again')).equal('AGAIN')
      await hers.restore()
      expect(await ask(await open(), 'anna')).equal('ANNA')
      const cutOnce = once(boris, 'close')
      link.of(named('boris')).cut()
      await cutOnce
      expect(await ask(await open(), 'boris')).equal('BORIS')
    })

    it('delays and holds back what those hear, from when they show themselves', async () => {
      const hers = link.of(named('anna'))
      hers.delay(50)
      const [anna, boris] = [await open(), await open()]
      const startedAt = performance.now()
      expect(await ask(anna, 'anna')).equal('ANNA')
      expect(performance.now() - startedAt).greaterThan(45) // timers may be a little early
      await hers.restore()
      hers.hold()
      anna.write('held')
      const answer = once(anna, 'data')
      let isHeld = true
      void answer.then(() => {
        isHeld = false
      })
      // each round by the server itself is longer than what is held would take
      expect([await ask(boris, 'boris'), await ask(boris, 'again')]).to.deep.equal(['BORIS', 'AGAIN'])
      expect(isHeld).equal(true)
      await hers.restore()
      expect(String((await answer)[0])).equal('HELD')
    })

    it('catches requests of those only', async () => {
      const [anna, boris] = [await open(), await open()]
      link.of(named('anna')).arm({
        moment: 'before',
        matches: (sent) => sent.includes('now'),
        spring: () => {
          link.cut()
          return 'drop'
        },
      })
      await ask(anna, 'anna')
      await ask(boris, 'boris')
      expect(await ask(boris, 'now')).equal('NOW')
      expect(await ask(anna, 'now')).equal('closed')
    })
  })
})
