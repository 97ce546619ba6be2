/**
 * The hash tags of shards and of buckets of people: what stands in braces in a key and decides where a cluster puts it.
 * The first n tags of a table, n being a power of two, lie equally far from one another on the circle of slots: masters with equal ranges of
 * slots get equal numbers of them, or one more, however many masters there are. The number of a shard would not do as its tag: of
 * `00` … `15` three masters get 8 : 4 : 4. Fixed for good, like the data.
 */
import { shardName, shardNames } from '@courier-fleet/api-types'

// both made by chosenTags() of ../test/chosen-tags.ts
const shardTags = words(`
  ru elr cw e9x cb9 iig c73 a5u v5 eh2 g7 ey0 cfy xo7 c3s a15 addl l3c fm7 doq b40 q4f a5s3 hjd fxu dz3 fiw dk1
  b0p a7d7 bez yl4 emb se e8h bg aao kj1 a4e r43 tk2 gkd m50 gzf il7 cgi aclt c2c l2s n05 dna wn7 hzv jx0 hkt
  ji2 l63 fye lc9 fhg q16 buh ho4 bdj z42 ayt cj0 ahv g37 e1q a0t4 mmc k2b x24 cnp al6 g7w e51 oke a2r2 bi3 hbm
  bx1 h7g a1w7 dgx f04 d2r bms a794 b8y y17 nhf dc8 f4t d62 axd k72 aif kb8 e0a jn eek on5 i14 k3r ac1w kfx my1
  g6g mh3 gcm qhu sj3 h6w j41 dfh nm6 d3b w34 ql5 blc h27 b9i lk0 niv lz2 f5d kke xk3 c7w a51 r1 el6 c3 agem zm5
  imc c37 a1q vq ehv gs eyt b4t yy2 jhf yh0 f8y affn fms do5 b04 q0b a5w7 qeh fx1 dzw fi3 dku ih3 ccm iy1 c6g
  to6 ofx m14 o3r aek kn5 a0a r07 eif wa exd fc hz2 b5d hk0 jiv l27 f9i ul5 flc q1r s34 hop jm6 l6w n41 dje wj3
  g3s e15 z8 a2v6 k6f ay0 cjt ah2 oz e5u gb9 mig z06 a9x cn4 alr fez a3u5 f0p d26 biw a7y8 bxu y53 a1s3 ljd f40
  d6v bm7 hfi ahmt h3c t25 g2c ml7 ggi i50 czf ac5s ckd e4e nj eao oj1 a8h k36 amb rm4 lo4 fdj u16 fuh hc9 bhg
  h63 bye dbl ni2 d7f nx0 hgy sn7 h2s j05
`)
const bucketTags = words(`
  p0jc pgbu p86q pgsw pfw pcnx pwu pk2j peds p2le p821 p29o pb7 pcj8 ps5 p65b p1xb pfpt pdc0 pfav p50g pb8q p5em
  pjdc p912 pft4 p9d8 p3of ph7o p76a phbe p7ck p2i5 p0ks p2x7 p0zq p6e8 pgg p602 p2m p2mu p0o3 pvt7 pe0i p6ax
  pain p64r p464 pf5l p1yr p3j6 p1hp p731 p51w pblk phg5 pn84 pd3j p3nv p1l0 p77q p557 pja3 phcu pau5 pcws p4ng
  pcfq p0sh po6n p0bj pocd paqu p6yc piio p6ha pe9p p21f p8o2 p2dl p5md pber p58n pb0x p1ai pwko p14c pn5m phjl
  p7kb pq4n pb48 p9l1 p3go pl3k p32e pc2k pi95 p6m1 pon p246 p06p pgkl p0cz p6xs p4z5 p6iq p4k7 p20v p020 pof4
  pemj p7n2 p5lt pb1h pqu6 pfho p9ia p375 p15s p7jr p5h4 pjx8 p5y6 pne7 p1d9 p33u p113 pf3 p6dl p39 p61f pmio
  p2ha p865 p2yc pbs pkcd p7y pk6n p0ng pgfq p82u pgws ph3k p72e phfa p7go p956 pf48 pdct p3kb p54c pj5m p5ai
  psko p18n pf0x p1md pfer pkf4 pamj p60v p420 p2iq p0k7 p2xs p0z5 pckl pcc p646 p6i p2m1 p0ow pg2k p83e p73u
  p513 pje7 p5d9 pnx8 p1y6 p3jr p1h4 p775 p55s pbho phc1 pf1h p90f p3n2 p1lt p8z4 p25b p8k6 pgj8 pa1y p69o pads
  p6le p03d po2j p0fn pgnx pa59 pcsw pjz pcbu p9h5 p3ck p9y7 p36a phnh p7of pq0j pbt4 p1em pndc p10g pf8q pyh8
  pbav p5xb pbpt p24r p064 p2ax pein prt7 pa0i p6mu p4o3 p202 p02t p2e8 p8nf p6x7 pzh p6i5 pkj pna3 pdjm p37q
  p157 p7nv p5l0 pj84 pq1z pflk p9me p331 p11w p7j6 p5hp pb5l p5yr
`)

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

const tagByShard = new Map(shardTags.map((tag, index) => [shardName(index), tag]))
const shardByTag = new Map(shardTags.map((tag, index) => [tag, shardName(index)]))

/** @throws RangeError when there is no such shard */
export function tagOf(shard: string): string {
  const tag = tagByShard.get(shard)
  if (tag === undefined) throw new RangeError(`there is no shard "${shard}"`)
  return tag
}

/** The shard that an event or a key of Redis speaks of; undefined when it is no shard's tag. */
export function shardOfTag(tag: string): string | undefined {
  return shardByTag.get(tag)
}

/** Of all shards of a fleet that has so many. */
export const tagsOfShards = (shards: number): string[] => shardNames(shards).map(tagOf)

export function tagOfBucket(bucket: number): string {
  const tag = bucketTags[bucket]
  if (tag === undefined) throw new RangeError(`there is no bucket ${bucket}`)
  return tag
}
