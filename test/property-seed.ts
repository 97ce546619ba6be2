/** In every test run: properties draw the same cases each time, so that one commit has one answer. PROPERTY_SEED chooses other ones. */
import fc from 'fast-check'

const { PROPERTY_SEED = '1' } = process.env
if (!/^\d{1,9}$/.test(PROPERTY_SEED))
  throw new Error(`PROPERTY_SEED is a whole number of up to nine digits, not ${PROPERTY_SEED}`)
fc.configureGlobal({ seed: Number(PROPERTY_SEED) })
