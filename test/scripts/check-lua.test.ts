import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { checkLua, mostNamesAtOnce } from '../../scripts/check-lua.mjs'

const header = `--[[ touch: reads a key while it looks at a range
KEYS[1] due:{tag}  zset
KEYS[2] history:{tag}:<id>  hash
ARGV[1] limit
ARGV[2..] names
Returns: how many
Errors: BUSY try again
Replay: reads only
]]
`
const body = `--#include clock
local due, history = KEYS[1], KEYS[2]
local limit = ARGV[1]
if redis.call('EXISTS', history) == 0 then return redis.error_reply('BUSY try again') end
for i = 2, #ARGV do redis.call('ZADD', due, now_ms(), ARGV[i]) end
return limit
`
const other = `--[[ other: shares the clock
KEYS[1] due:{tag}  zset
Returns: the time
Errors: none
Replay: reads only
]]
--#include clock
return redis.call('ZCARD', KEYS[1]) + now_ms()
`
const clean: Record<string, string> = {
  'lua/touch.lua': header + body,
  'lua/other.lua': other,
  'lua/lib/clock.lua': `local function now_ms()\n  return redis.call('TIME')[1]\nend\n`,
  'packages/store/src/scripts.ts': `
    const touch = defineScript('touch', { keys: ['due', 'history'], args: ['limit'] })
    const other = defineScript('other', {
      keys: ['due'],
      args: [],
    })`,
}

describe('check-lua', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'check-lua-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  function faultsOf(changes: Record<string, string>): string {
    for (const [path, text] of Object.entries({ ...clean, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return checkLua(root).join('\n')
  }
  const inScript = (from: string | RegExp, to: string) => ({ 'lua/touch.lua': (header + body).replace(from, to) })

  it('has nothing to say about scripts that keep to their headers', () => {
    expect(faultsOf({})).to.equal('')
  })

  const computing = (header + body)
    .replace('Returns:', 'Computed: pieces:{tag}:<id> string\nReturns:')
    .replace('return limit', 'return pieces_key(limit)')
    .replace('--#include clock', '--#include keys\n--#include clock')
  const pieces = {
    'lua/lib/keys.lua': 'local function pieces_key(tag) return tag end\n',
    'lua/other.lua': other
      .replace('Returns:', 'Computed: pieces:{tag}:<id> string\nReturns:')
      .replace('--#include clock\nreturn ', '--#include clock\n--#include keys\nreturn pieces_key(1) + '),
  }

  it('has nothing to say about names that a script computes and says so', () => {
    expect(faultsOf({ ...pieces, 'lua/touch.lua': computing })).to.equal('')
  })

  const planted: [fault: string, changes: Record<string, string>, said: string | RegExp][] = [
    [
      'a computed name that the header does not say',
      { ...pieces, 'lua/touch.lua': computing.replace(/Computed:.*\n/, '') },
      'its header has no line "Computed',
    ],
    [
      'a header that says of computed names and there is none',
      inScript('Returns:', 'Computed: x\nReturns:'),
      'it computes no',
    ],
    [
      'computed names beside a key without a tag',
      { ...pieces, 'lua/touch.lua': computing.replaceAll(/(due|history):\{tag\}/g, '$1') },
      'KEYS[1] has no tag',
    ],
    [
      'computed names beside keys of any number',
      {
        ...pieces,
        'lua/touch.lua': computing
          .replace('KEYS[2] history', 'KEYS[2..] history')
          .replace('KEYS[2]\n', 'KEYS[#KEYS]\n'),
      },
      'beside KEYS of any number',
    ],
    ['no header', { 'lua/touch.lua': body }, 'does not begin with its header'],
    ['another name in the header', inScript('touch:', 'tap:'), 'calls it "tap"'],
    ['no Returns line', inScript('Returns: how many\n', ''), 'no line "Returns'],
    ['no Errors line', inScript('Errors: BUSY try again\n', ''), 'no line "Errors'],
    ['no Replay line', inScript('Replay: reads only\n', ''), 'no line "Replay'],
    ['a key without a type', inScript('KEYS[1] due:{tag}  zset', 'KEYS[1] due:{tag}'), 'KEYS[1] does not say its type'],
    ['an argument without a name', inScript('ARGV[1] limit', 'ARGV[1]'), 'ARGV[1] is not described'],
    ['keys out of order', inScript('KEYS[2] history', 'KEYS[3] history'), 'KEYS[3] is declared where KEYS[2] is due'],
    ['keys of two hash tags', inScript('KEYS[2] history:{tag}', 'KEYS[2] history:{id}'), 'different hash tags'],
    ['a key it does not declare', inScript('return limit', 'return KEYS[3]'), 'uses KEYS[3] without declaring'],
    ['an argument it does not declare', inScript('ARGV[2..] names\n', ''), 'uses ARGV by a computed index'],
    [
      'a key it never uses',
      inScript('local due, history = KEYS[1], KEYS[2]', 'local due = KEYS[1]'),
      'KEYS[2] and never',
    ],
    ['an argument it never uses', inScript('local limit = ARGV[1]', 'local limit = 1'), 'ARGV[1] and never uses it'],
    [
      'a rest it never uses',
      inScript(/^for .*$/m, `redis.call('ZADD', due, now_ms(), '')`),
      'ARGV[2..] and never uses it',
    ],
    ['an argument named and never read', inScript('return limit', 'return 1'), 'names "limit" and never reads it'],
    [
      'an argument used only in a comment',
      inScript('local limit = ARGV[1]', 'local limit = 1 -- ARGV[1]'),
      'ARGV[1] and',
    ],
    ['a while loop', inScript('return limit', 'while true do end'), /line 15: while without/],
    ['a repeat loop', inScript('return limit', 'repeat until true\nreturn limit'), 'repeat without'],
    ['an error it does not name', inScript(`'BUSY`, `'LATE`), 'answers LATE, which Errors: does not name'],
    [
      'an error it never answers',
      inScript('Errors: BUSY', 'Errors: LATE too late; BUSY'),
      'LATE, which it never answers',
    ],
    ['chance', inScript('return limit', 'return limit + math.random(2)'), 'uses math.random'],
    [
      'the clock of the machine',
      inScript('now_ms()', 'os.time()'),
      /uses os[\s\S]*calls nothing of it|calls nothing of it[\s\S]*uses os/,
    ],
    ['a walk over all keys', inScript('return limit', `return redis.call('KEYS', limit)`), 'calls KEYS'],
    [
      'a key it spells',
      inScript('return limit', `return redis.call('GET', 'due:{' .. limit .. '}')`),
      /spells a key, 'due:\{'[\s\S]*spells a key, '\}'/,
    ],
    [
      'a key of the fleet it spells',
      {
        ...inScript('return limit', `return redis.call('GET', 'quota:' .. limit)`),
        'packages/store/src/keys.ts': 'export const keys = { quota: `quota:somebody` } as const',
      },
      `spells a key, 'quota:'`,
    ],
    ['time from both sides', inScript('ARGV[1] limit', 'ARGV[1] now, Unix ms'), 'both from Redis and from its caller'],
    ['a library that is not there', inScript('#include clock', '#include watch'), 'no lua/lib/watch.lua'],
    ['a library function without its include', inScript('--#include clock\n', ''), 'calls now_ms() without'],
    [
      'a library only one script uses',
      { 'lua/other.lua': other.replace('--#include clock\n', '').replace(' + now_ms()', '') },
      'shared by 1 scripts',
    ],
    [
      'no wrapper',
      { 'packages/store/src/scripts.ts': `defineScript('other', { keys: ['due'], args: [] })` },
      'touch.lua: no defineScript',
    ],
    [
      'two wrappers',
      { 'packages/store/src/more.ts': `defineScript('other', { keys: ['due'], args: [] })` },
      'defined twice',
    ],
    [
      'a wrapper without a script',
      { 'packages/store/src/more.ts': `defineScript('gone', { keys: [], args: [] })` },
      'has no lua/gone.lua',
    ],
    [
      'a wrapper with too few keys',
      { 'packages/store/src/scripts.ts': (clean['packages/store/src/scripts.ts'] as string).replace(`'due', `, '') },
      'gives 1 keys, the header declares 2',
    ],
    [
      'a wrapper with too many arguments',
      {
        'packages/store/src/scripts.ts': (clean['packages/store/src/scripts.ts'] as string).replace(
          `'limit'`,
          `'limit', 'more'`,
        ),
      },
      'gives 2 args, the header declares 1',
    ],
  ]
  for (const [fault, changes, said] of planted) {
    it(`finds ${fault}`, () => {
      const faults = faultsOf(changes)
      if (typeof said === 'string') expect(faults).to.contain(said)
      else expect(faults).to.match(said)
    })
  }

  it('lets a loop pass that says how it is bounded', () => {
    expect(faultsOf(inScript('return limit', '-- bounded: by the limit\nwhile false do end\nreturn limit'))).to.equal(
      '',
    )
  })

  it('a script with more names at its top than Lua has room for, those of its libraries and loops among them', () => {
    const names = (count: number) => Array.from({ length: count }, (_unused, at) => `local name_${at} = 0`).join('\n')
    // with now_ms(), due and history, and limit; three of the loop that nobody writes, and its own
    expect(faultsOf(inScript('for i = 2', `${names(192)}\nfor i = 2`))).to.equal('')
    expect(faultsOf(inScript('for i = 2', `${names(193)}\nfor i = 2`))).to.equal(
      'lua/touch.lua: has 201 local names at once, and Lua has room for 200',
    )
  })

  it('counts what stands at once: not what a block has left behind, nor what functions have', () => {
    expect(mostNamesAtOnce('local a, b\ndo\n local c\nend\nlocal d')).to.equal(3)
    expect(mostNamesAtOnce('local function a(x)\n local b, c\n for i = 1, 2 do end\nend')).to.equal(1)
    expect(mostNamesAtOnce('if x then local a, b elseif y then local a else local a end')).to.equal(2)
    expect(mostNamesAtOnce('for k, v in pairs(x) do local a end')).to.equal(6)
  })
})
