/** What stands beside the names once a message is over, loaded together: four files of a few hundred bytes each are larger than one, and as many calls. */
export { Balance } from './balance.tsx'
export { LastOnes } from './last-ones.tsx'
export { LinkContact } from './link-contact.tsx'
export { UnknownPeople } from './unknown-people.tsx'
