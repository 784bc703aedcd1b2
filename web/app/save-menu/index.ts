export { SaveMenu } from './save-menu.tsx';
