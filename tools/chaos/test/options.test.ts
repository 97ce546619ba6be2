import { expect } from 'chai'
import { chaosCommand } from '../src/chaos-command.ts'
import { clusterFaultNames, faultNames, replicationFaultNames } from '../src/faults/index.ts'
import { parseOptions } from '../src/options.ts'
import { points } from '../src/points.ts'

describe('chaos options', () => {
  it('are 60 kills of seed 1 with everything that can go wrong, unless said otherwise', () => {
    expect(parseOptions([])).eql({
      kills: 60,
      seed: '1',
      faults: faultNames,
      couriers: 9,
      people: 50_000,
      point: undefined,
      channels: undefined,
      minutes: undefined,
      redis: 'one',
      lagMs: 0,
      skewMs: 0,
      durability: undefined,
      json: false,
      failFast: false,
      until: [],
    })
    const given = [
      '--kills',
      '0',
      '--seed',
      'x',
      '--faults',
      'freeze,redis-kill',
      '--couriers',
      '50',
      '--people',
      '4000',
      '--point',
      '12',
      '--channel',
      'sms',
      '--minutes',
      '1.5',
      '--json',
      '--fail-fast',
      '--until',
      '^lost ',
    ]
    expect(parseOptions(given)).eql({
      kills: 0,
      seed: 'x',
      faults: ['freeze', 'redis-kill'],
      couriers: 50,
      people: 4000,
      point: points[11],
      channels: ['sms'],
      minutes: 1.5,
      redis: 'one',
      lagMs: 0,
      skewMs: 0,
      durability: undefined,
      json: true,
      failFast: true,
      until: [/^lost /],
    })
  })

  it('may be on a Redis with replicas, where more can go wrong', () => {
    const given = parseOptions(['--redis', 'cluster', '--lag', '30', '--skew', '3000', '--durability', 'master'])
    expect(given).to.include({ redis: 'cluster', lagMs: 30, skewMs: 3000, durability: 'master' })
    expect(given.faults).to.deep.equal([...faultNames, ...replicationFaultNames, ...clusterFaultNames])
    expect(parseOptions(['--redis', 'sentinel']).faults).to.deep.equal([...faultNames, ...replicationFaultNames])
    expect(parseOptions(['--redis', 'sentinel', '--faults', 'fail-over']).faults).to.deep.equal(['fail-over'])
  })

  for (const [argv, said] of [
    [['--redis', 'ring'], '--redis ring: there are one, cluster, sentinel'],
    [['--durability', 'most'], '--durability most: there are master, replica, all'],
    [['--lag', '30'], '--lag: one Redis has no replica'],
    [['--skew', '3000'], '--skew: one Redis has one clock'],
    [['--faults', 'partition'], '--faults partition: there is no such fault'],
    [['--redis', 'sentinel', '--faults', 'reshard'], '--faults reshard: there is no such fault'],
    [['--people', '2999'], '--people 2999: 3000 have all channels'],
    [['--kills', 'many'], '--kills many: a whole number is needed, 0 or more'],
    [['--minutes', '0'], '--minutes 0: a number above 0 is needed'],
    [['--couriers', '3'], '--couriers 3: each of the four channels needs one'],
    [['--point', '31'], '--point 31: there are the points 1 to 30'],
    [['--point', '12', '--channel', 'fax'], '--channel fax: there are telegram, vk, sms, http'],
    [['--until', '('], '--until (: a regular expression is needed'],
    [['--channel', 'sms'], '--channel: say with --point where its couriers are killed'],
    [['--faults', 'freeze,rain'], '--faults rain: there is no such fault'],
    [['--lives', '9'], "Unknown option '--lives'"],
  ] as const) {
    it(`says what is wrong with ${argv.join(' ')}`, async () => {
      let text = ''
      const code = await chaosCommand(argv, {
        redisServer: () => '',
        out: () => {},
        err: (line) => {
          text += line
        },
      })
      expect(code).equal(2)
      expect(text).include(said)
    })
  }
})
