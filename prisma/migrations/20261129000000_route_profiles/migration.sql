-- What the model of a route is, by a name of gw's table of profiles. NULL: as its upstream name says.
ALTER TABLE model_route ADD COLUMN profile text;
