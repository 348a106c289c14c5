export { default } from 'events/'
