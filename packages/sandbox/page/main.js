/** The wall of phones: listens to the sandbox, keeps the order, and draws once a frame at most. */
import { make } from './elements.js'
import { createLatest } from './latest.js'
import { createOpenPhone } from './open-phone.js'
import { createOrder, keyOf, rowOf, rowsOf } from './order.js'
import { find, listen, name } from './sandbox.js'
import { createTrouble } from './trouble.js'
import { createWall } from './wall.js'
import { channels, words } from './words.js'

const byId = (id) => document.getElementById(id)
/** people are brought to the front this often at most */
const bringForwardEveryMs = 1000
/** a hand that has not moved for so long is not about to press anything */
const restingMs = 2000
const findAfterMs = 200

const order = createOrder()
let channel
/** key → row of what was searched for; not all of it is on the wall otherwise; undefined: everything */
let found
let broughtAt = 0
let movedAt = Number.NEGATIVE_INFINITY
let planned = false
let later

document.documentElement.lang = words.language
document.title = words.title
document.querySelector('h1').textContent = words.title
byId('about').textContent = words.about
byId('find').placeholder = words.find
byId('find').setAttribute('aria-label', words.find)
byId('wall').setAttribute('aria-label', words.wall)
byId('open').setAttribute('aria-label', words.open)
byId('channels').setAttribute('aria-label', words.channelGroup)
byId('channels').append(make('span', { className: 'legend', textContent: words.counts }))
byId('connection').textContent = words.connecting

const openPhone = createOpenPhone({
  place: byId('open'),
  behind: [document.querySelector('header'), document.querySelector('main')],
  refused: () => say(words.notTaken, true),
  changed: plan,
})
/** What is pressed was drawn a frame ago, and may be another by now. */
function open(drawn) {
  const row = order.get(rowOf(drawn)) ?? found?.get(rowOf(drawn))
  openPhone.open(row?.phones.get(keyOf(drawn)) ?? drawn)
}
const wall = createWall({
  list: byId('wall'),
  get: (key) => found?.get(key) ?? order.get(key),
  opened: openPhone.key,
  open,
})
const latest = createLatest({ button: byId('latest'), open })

const tabs = [['all', words.all], ...Object.entries(channels).map(([name, said]) => [name, said.name])].map(
  ([name, label]) => {
    const count = make('span')
    const button = make('button', { type: 'button' }, label, ' ', count)
    button.dataset.channel = name
    button.onclick = () => {
      channel = name === 'all' ? undefined : name
      choose()
      scrollTo({ top: 0 })
      plan()
    }
    byId('channels').append(button)
    return { name, button, count }
  },
)

byId('strangers').append(make('span', { className: 'legend', textContent: words.strangers }))
for (const [channel, { name: label, stranger: address }] of Object.entries(channels)) {
  if (address === undefined) continue
  const phone = { channel, address, name: words.stranger }
  const button = make('button', { type: 'button', textContent: label, title: words.playStranger(label) })
  button.setAttribute('aria-label', button.title)
  button.dataset.channel = channel
  button.onclick = () =>
    name(phone)
      .then(() => find(address))
      .then(({ phones }) => openPhone.open(phones.find((each) => keyOf(each) === keyOf(phone))))
      .catch(() => say(words.notTaken, true))
  byId('strangers').append(button)
}

createTrouble({ place: byId('trouble'), refused: () => say(words.notTaken, true) }).catch(() => {})

function choose() {
  for (const { name, button } of tabs) button.setAttribute('aria-pressed', String(name === (channel ?? 'all')))
}

function say(text, bad = false) {
  byId('connection').textContent = text
  byId('connection').classList.toggle('bad', bad)
}

function count(total) {
  const all = Object.values(total).reduce((sum, each) => sum + each, 0)
  for (const tab of tabs) tab.count.textContent = (total[tab.name] ?? all).toLocaleString(words.language)
}

/** Somebody is about to press something, or looks further down. */
const isBusy = () =>
  byId('wall').contains(document.activeElement) || performance.now() - movedAt < restingMs || scrollY > innerHeight / 3

function draw(now) {
  planned = false
  if (!isBusy() && now - broughtAt > bringForwardEveryMs && order.bringForward()) broughtAt = now
  clearTimeout(later)
  if (order.calling() > 0) later = setTimeout(plan, bringForwardEveryMs)
  wall.set(found ? [...found.keys()] : order.keys(channel))
  wall.draw()
  const newer = found ? 0 : order.calling()
  byId('newer').hidden = newer === 0 || !isBusy()
  byId('newer').textContent = words.newer(newer)
  byId('empty').hidden = wall.count() > 0
  byId('empty').textContent = found ? words.nothingFound : words.nothingYet
}

function plan() {
  if (!planned) requestAnimationFrame(draw)
  planned = true
}

listen({
  first({ total, phones }) {
    order.reset(phones)
    latest.reset(phones)
    for (const phone of phones) openPhone.show(phone)
    count(total)
    // also what was typed before this page was ready for it
    if (byId('find').value.trim() !== '') search()
    plan()
  },
  changes({ total, phones }) {
    for (const phone of phones) {
      order.change(phone, found ? () => false : wall.isInSight)
      latest.show(phone)
      openPhone.show(phone)
      const row = found?.get(rowOf(phone))
      if (row) found.set(rowOf(phone), { phones: new Map(row.phones).set(keyOf(phone), phone) })
    }
    count(total)
    plan()
  },
  connection: (isLive) => say(isLive ? words.live : words.away, !isLive),
})

let asked = 0
let asking
byId('find').oninput = () => {
  clearTimeout(asking)
  asking = setTimeout(search, findAfterMs)
}
async function search() {
  const wanted = byId('find').value.trim()
  const number = ++asked
  const answer = wanted === '' ? {} : await find(wanted).catch(() => undefined)
  // an answer that was overtaken by the next question
  if (number !== asked) return
  // asked again once there is a connection
  if (!answer) return say(words.away, true)
  found = answer.phones && rowsOf(answer.phones)
  scrollTo({ top: 0 })
  plan()
}

byId('newer').onclick = () => {
  order.bringForward()
  byId('newer').blur()
  scrollTo({ top: 0 })
  plan()
}
addEventListener('scroll', plan, { passive: true })
new ResizeObserver(plan).observe(byId('wall'))
byId('wall').addEventListener('pointermove', () => {
  movedAt = performance.now()
})
byId('wall').addEventListener('pointerleave', () => {
  movedAt = Number.NEGATIVE_INFINITY
  plan()
})
byId('wall').addEventListener('focusout', () => setTimeout(plan))
choose()
