/** In every test run: as many buckets as on one Redis, where no test joins a fleet that has more. */
import { fixBuckets } from '@courier-fleet/store'

fixBuckets(16)
